/**
 * Secrets that show by their own shape, whatever stands around them.
 *
 * Every pattern has a fixed beginning that cannot start inside a match of itself, so that a text is read once.
 */
import { isPlaceholder, isTakenOut, type Kind, mark } from './mark.ts';

interface Shape {
  readonly kind: Kind;
  /** The part named `secret` goes; without such a part, the whole match. */
  readonly pattern: RegExp;
}

const START = '(?<![A-Za-z0-9])';

function shape(kind: Kind, source: string, flags = ''): Shape {
  return { kind, pattern: new RegExp(source, `g${flags}`) };
}

const SHAPES: readonly Shape[] = [
  shape('github-token', `${START}gh[oprsu]_[A-Za-z0-9_.-]{16,}`),
  shape('github-token', `${START}github_pat_[A-Za-z0-9_]{20,}`),
  // The secret access key has no shape of its own; it stands beside the id that it belongs to.
  shape(
    'aws-key',
    `${START}(?:AKIA|ASIA)[A-Z0-9]{16}[^A-Za-z0-9+/\\n]{1,20}(?<secret>[A-Za-z0-9+/]{40})(?![A-Za-z0-9+/])`,
  ),
  shape('aws-key', `${START}(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16,}`),
  shape('slack-token', `${START}xox[a-z]-[A-Za-z0-9-]{8,}`),
  shape('slack-token', `${START}xapp-[0-9]-[A-Za-z0-9-]{10,}`),
  shape('slack-token', 'hooks\\.slack\\.com/(?:services|workflows)/(?<secret>[A-Za-z0-9/_+-]{16,})'),
  shape('stripe-key', `${START}[rsp]k_(?:live|test)_[A-Za-z0-9]{10,}`),
  shape('stripe-key', `${START}whsec_[A-Za-z0-9+/=]{16,}`),
  shape('google-key', `${START}AIza[A-Za-z0-9_-]{30,}`),
  shape('google-key', `${START}ya29\\.[A-Za-z0-9_-]{16,}`),
  shape('google-key', `${START}GOCSPX-[A-Za-z0-9_-]{16,}`),
  shape('npm-token', `${START}npm_[A-Za-z0-9]{30,}`),
  shape('pypi-token', `${START}pypi-[A-Za-z0-9_-]{16,}`),
  shape('jwt', '(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}(?:\\.[A-Za-z0-9_-]{0,2000})?'),
  shape('service-token', `${START}glp[a-z]{0,3}-[A-Za-z0-9_-]{16,}`),
  shape('service-token', `${START}sk-(?:ant|proj|svcacct|or)-[A-Za-z0-9_-]{16,}`),
  shape('service-token', `${START}sk-[A-Za-z0-9]{32,}`),
  shape('service-token', `${START}hf_[A-Za-z0-9]{30,}`),
  shape('service-token', `${START}SG\\.[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}`),
  shape('service-token', `${START}(?:dop|doo|dor)_v1_[a-f0-9]{40,}`),
  shape('service-token', `${START}dckr_(?:pat|oat)_[A-Za-z0-9_-]{16,}`),
  shape('service-token', `${START}shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32,}`),
  shape('service-token', `${START}dapi[a-f0-9]{32,}`),
  shape('service-token', `${START}hv[bsr]\\.[A-Za-z0-9_-]{20,}`),
  shape('service-token', `${START}AGE-SECRET-KEY-1[A-Z0-9]{50,}`),
  shape('service-token', `${START}[0-9]{8,10}:AA[A-Za-z0-9_-]{33,}`),
  shape('authorization', '\\b(?:Bearer|Basic)[ \\t]{1,4}(?<secret>[A-Za-z0-9._~+/=-]{16,})', 'i'),
  shape(
    'authorization',
    'authorization\\\\{0,3}["\'`]?[ \\t]{0,4}[:=][ \\t]{0,4}\\\\{0,3}["\'`]?(?:Bearer|Basic|Token|Digest|ApiKey|AWS4-HMAC-SHA256|Negotiate)[ \\t]{1,4}(?<secret>[^\\s"\'`,;\\\\]+)',
    'i',
  ),
  shape(
    'signature',
    '[?&](?:sig|(?:X-(?:Amz|Goog)-)?(?:Signature|Security-Token|Credential))=(?<secret>[^&\\s"\'`<>]{8,})',
    'i',
  ),
];

/** Replaces every secret that is known by its shape. */
export function redactShapes(text: string): string {
  let result = text;
  for (const { kind, pattern } of SHAPES) {
    result = result.replace(pattern, (whole: string, ...rest: unknown[]) => {
      const groups = rest.at(-1);
      const secret = hasSecret(groups) ? groups.secret : whole;
      if (isTakenOut(secret) || isPlaceholder(secret)) return whole;
      return whole.slice(0, whole.length - secret.length) + mark(kind);
    });
  }
  return redactUserinfo(result);
}

function hasSecret(groups: unknown): groups is { secret: string } {
  return typeof groups === 'object' && groups !== null && 'secret' in groups && typeof groups.secret === 'string';
}

const USERINFO = /:\/\/([^\s/?#"'`<>\\@]*(?:@[^\s/?#"'`<>\\@]*)*)@/g;

/** `scheme://user:password@host`, and a user name that is itself a token. A plain user name (`git@`) stays. */
function redactUserinfo(text: string): string {
  return text.replace(USERINFO, (whole: string, userinfo: string) => {
    const colon = userinfo.indexOf(':');
    const secret = colon < 0 ? userinfo : userinfo.slice(colon + 1);
    if (isTakenOut(userinfo) || isTakenOut(secret) || isPlaceholder(secret) || secret === '') return whole;
    if (colon < 0 && !/^(?=.*\d)[\w.-]{16,}$/.test(secret)) return whole;
    return `://${mark('userinfo')}@`;
  });
}
