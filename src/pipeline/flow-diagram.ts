/** The flow as a Mermaid diagram, drawn from the table: docs never draw it by hand. */
import { edgeId, type Flow } from './flow.ts';
import { STATES } from './run.ts';

/** A `stateDiagram-v2`; each arrow carries its edge id and its guard. */
export function flowDiagram(flow: Flow): string {
  const lines = ['stateDiagram-v2', `  [*] --> ${flow.start}`];
  for (const state of STATES) {
    for (const [index, edge] of flow.states[state].edges.entries()) {
      lines.push(`  ${state} --> ${edge.to}: ${edgeId(state, index)} ${edge.when}`);
    }
  }
  for (const terminal of Object.keys(flow.terminals)) lines.push(`  ${terminal} --> [*]`);
  return lines.join('\n');
}
