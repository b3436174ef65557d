/** Finds the failing assertion of a Python test. */
import { missing, type SiteAnswer, type SiteQuestion } from './site.ts';

export function pythonSite(_question: SiteQuestion): SiteAnswer {
  return missing('Python tests are not read yet');
}
