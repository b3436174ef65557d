/** The diagnosis as JSON, for programs. Fields may be added within a version; none changes its meaning. */
import type { DebugReport } from '../../../pipeline/debug-report.ts';
import { visibleJson } from '../visible.ts';
import { type Diagnosis, damageOf } from './diagnosis.ts';

export const SCHEMA = 'inquest.diagnosis/v1';

/** `report` is null when nothing failed, as far as could be read. */
export function toJson(diagnosis: Diagnosis, report: DebugReport | null): string {
  const inputs = diagnosis.inputs.map((input) => {
    if (input.kind !== 'read') return { name: input.name, status: input.kind, reason: input.reason };
    const { name, lines, bytes, formats, failures, passed_summary } = input;
    return { name, status: 'read', lines, bytes, formats, failures, passed_summary };
  });
  return visibleJson({ schema: SCHEMA, packets: diagnosis.packets, report, inputs, damage: damageOf(diagnosis) });
}
