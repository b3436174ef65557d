/** Workflow runs, jobs and artifacts in the API's form. */
import type { GitRepository } from '../git/repository.ts';
import { apiOf, type Links, nodeId, pageOf, time } from '../links.ts';
import type { Artifact, Job, WorkflowRun } from '../model.ts';
import type { World } from '../world.ts';
import { accountJson, type Json } from './account.ts';
import { pullsJson } from './check.ts';
import { simpleCommitJson } from './commit.ts';
import { minimalRepositoryJson } from './repository.ts';

export const pageOfRun = (links: Links, run: WorkflowRun): string =>
  `${pageOf(links, run.repository)}/actions/runs/${run.id}`;

export const pageOfJob = (links: Links, job: Job): string => `${pageOfRun(links, job.run)}/job/${job.id}`;

export async function workflowRunJson(links: Links, world: World, git: GitRepository, run: WorkflowRun): Promise<Json> {
  const { repository, suite, workflow } = run;
  const api = apiOf(links, repository);
  const url = `${api}/actions/runs/${run.id}`;
  return {
    id: run.id,
    name: workflow.name,
    node_id: nodeId('WorkflowRun', run.id),
    check_suite_id: suite.id,
    check_suite_node_id: nodeId('CheckSuite', suite.id),
    head_branch: suite.headBranch,
    head_sha: suite.headSha,
    path: workflow.path,
    run_number: run.runNumber,
    run_attempt: 1,
    event: run.event,
    display_title: run.title,
    status: run.status,
    conclusion: run.conclusion,
    workflow_id: workflow.id,
    url,
    html_url: pageOfRun(links, run),
    pull_requests: pullsJson(links, world, repository, suite.headBranch),
    created_at: time(run.createdAt),
    updated_at: time(run.updatedAt),
    run_started_at: time(run.createdAt),
    actor: accountJson(links, run.actor),
    triggering_actor: accountJson(links, run.actor),
    referenced_workflows: [],
    jobs_url: `${url}/jobs`,
    logs_url: `${url}/logs`,
    check_suite_url: `${api}/check-suites/${suite.id}`,
    artifacts_url: `${url}/artifacts`,
    cancel_url: `${url}/cancel`,
    rerun_url: `${url}/rerun`,
    previous_attempt_url: null,
    workflow_url: `${api}/actions/workflows/${workflow.id}`,
    head_commit: simpleCommitJson(await git.commit(suite.headSha)),
    repository: minimalRepositoryJson(links, repository),
    head_repository: minimalRepositoryJson(links, repository),
  };
}

export function jobJson(links: Links, job: Job): Json {
  const { run, checkRun } = job;
  const api = apiOf(links, run.repository);
  const started = checkRun.status !== 'queued';
  return {
    id: job.id,
    run_id: run.id,
    workflow_name: run.workflow.name,
    head_branch: run.suite.headBranch,
    run_url: `${api}/actions/runs/${run.id}`,
    run_attempt: 1,
    node_id: nodeId('CheckRun', job.id),
    head_sha: run.suite.headSha,
    url: `${api}/actions/jobs/${job.id}`,
    html_url: pageOfJob(links, job),
    status: checkRun.status,
    conclusion: checkRun.conclusion,
    created_at: time(job.createdAt),
    started_at: time(checkRun.startedAt),
    completed_at: checkRun.completedAt === null ? null : time(checkRun.completedAt),
    name: job.name,
    steps: job.steps.map((step) => ({
      name: step.name,
      status: step.status,
      conclusion: step.conclusion,
      number: step.number,
      started_at: step.startedAt === null ? null : time(step.startedAt),
      completed_at: step.completedAt === null ? null : time(step.completedAt),
    })),
    check_run_url: `${api}/check-runs/${job.id}`,
    labels: job.labels,
    runner_id: started ? 1 : null,
    runner_name: started ? 'Simulated Actions 1' : null,
    runner_group_id: started ? 0 : null,
    runner_group_name: started ? 'GitHub Actions' : null,
  };
}

/** Milliseconds that GitHub keeps an artifact: ninety days. */
const KEPT = 90 * 86_400_000;

export function artifactJson(links: Links, artifact: Artifact): Json {
  const { run } = artifact;
  const url = `${apiOf(links, run.repository)}/actions/artifacts/${artifact.id}`;
  return {
    id: artifact.id,
    node_id: nodeId('Artifact', artifact.id),
    name: artifact.name,
    size_in_bytes: artifact.zip.length,
    url,
    archive_download_url: `${url}/zip`,
    expired: artifact.expired,
    created_at: time(artifact.createdAt),
    updated_at: time(artifact.createdAt),
    expires_at: time(artifact.createdAt + KEPT),
    workflow_run: {
      id: run.id,
      repository_id: run.repository.id,
      head_repository_id: run.repository.id,
      head_branch: run.suite.headBranch,
      head_sha: run.suite.headSha,
    },
  };
}
