/** How much of GitHub's answers is read. All input is hostile; what is over a limit is said in the report. */

export interface ForgeLimits {
  /** Text of one job's log, in bytes. */
  readonly log_bytes: number;
  /** One artifact or zip of logs as downloaded, in bytes. It is held in memory. */
  readonly artifact_bytes: number;
  /** Artifacts downloaded for one run of Inquest. */
  readonly artifacts: number;
  /** One report file inside an artifact, and all of them together, unpacked, in bytes. Held in memory. */
  readonly report_bytes: number;
  readonly reports_bytes: number;
  /** Files inside one zip. */
  readonly zip_entries: number;
  /** What is unpacked of one artifact's zip, looking included, in bytes. */
  readonly zip_bytes: number;
  /** Unpacked size over packed size of a file in a zip that unpacks to more than a megabyte. */
  readonly zip_ratio: number;
  /** Failing checks whose logs and annotations are read. */
  readonly checks: number;
  /** Annotations read of one check. */
  readonly annotations: number;
  /** Pages of 100 read of any list. */
  readonly pages: number;
}

const MIB = 1024 * 1024;

export const DEFAULT_LIMITS: ForgeLimits = {
  log_bytes: 200 * MIB,
  artifact_bytes: 50 * MIB,
  artifacts: 20,
  report_bytes: 20 * MIB,
  reports_bytes: 50 * MIB,
  zip_entries: 20_000,
  zip_bytes: 100 * MIB,
  zip_ratio: 300,
  checks: 50,
  annotations: 1_000,
  pages: 50,
};

/** A size for people: `1.5 MB`. */
export function sizeOf(bytes: number): string {
  return bytes >= 1e6 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.ceil(bytes / 1e3)} kB`;
}
