/** Users, bots and apps in the API's form. */
import { type Links, nodeId, time } from '../links.ts';
import type { Account, AppIdentity, Installation } from '../model.ts';

export type Json = Record<string, unknown>;

export function accountJson(links: Links, account: Account): Json {
  const api = `${links.api}/users/${encodeURIComponent(account.login)}`;
  return {
    login: account.login,
    id: account.id,
    node_id: nodeId('User', account.id),
    avatar_url: `${links.site}/avatars/${account.id}`,
    gravatar_id: '',
    url: api,
    html_url:
      account.type === 'Bot' ? `${links.site}/apps/${account.login.slice(0, -5)}` : `${links.site}/${account.login}`,
    followers_url: `${api}/followers`,
    following_url: `${api}/following{/other_user}`,
    gists_url: `${api}/gists{/gist_id}`,
    starred_url: `${api}/starred{/owner}{/repo}`,
    subscriptions_url: `${api}/subscriptions`,
    organizations_url: `${api}/orgs`,
    repos_url: `${api}/repos`,
    events_url: `${api}/events{/privacy}`,
    received_events_url: `${api}/received_events`,
    type: account.type,
    user_view_type: 'public',
    site_admin: false,
  };
}

/** GitHub began in 2008; when an app was made matters to nobody. */
const MADE = '2024-01-01T00:00:00Z';

export function appJson(links: Links, app: AppIdentity): Json {
  return {
    id: app.id,
    slug: app.slug,
    client_id: clientIdOf(app),
    node_id: nodeId('App', app.id),
    owner: accountJson(links, app.owner),
    name: app.name,
    description: null,
    external_url: `${links.site}/apps/${app.slug}`,
    html_url: `${links.site}/apps/${app.slug}`,
    created_at: MADE,
    updated_at: MADE,
    permissions: app.permissions,
    // The published description of webhooks does not know this one as an app's event.
    events: app.events.filter((event) => event !== 'workflow_job'),
  };
}

export const clientIdOf = (app: AppIdentity): string => `Iv23li${app.id}`;

export function installationJson(links: Links, installation: Installation): Json {
  return {
    id: installation.id,
    client_id: clientIdOf(installation.app),
    account: accountJson(links, installation.account),
    repository_selection: 'selected',
    access_tokens_url: `${links.api}/app/installations/${installation.id}/access_tokens`,
    repositories_url: `${links.api}/installation/repositories`,
    html_url: `${links.site}/settings/installations/${installation.id}`,
    app_id: installation.app.id,
    app_slug: installation.app.slug,
    target_id: installation.account.id,
    target_type: installation.account.type,
    permissions: installation.permissions,
    events: installation.events,
    created_at: time(installation.createdAt),
    updated_at: time(installation.createdAt),
    single_file_name: null,
    has_multiple_single_files: false,
    single_file_paths: [],
    suspended_by: null,
    suspended_at: null,
  };
}
