import { capabilitiesOf } from "../../../src/spec/provider/cli-data.ts";
import type { MatrixRow } from "../../support/real-clis/rows/matrix-row.ts";
import { describeErrors } from "./describe-errors.ts";
import { describeObjects, describeTextTools } from "./describe-objects.ts";
import { describeOwnTools } from "./describe-own-tools.ts";
import { describePureAnswers } from "./describe-pure-answers.ts";
import { describeRow } from "./describe-row.ts";
import { describeSessions } from "./describe-sessions.ts";
import { describeSizes } from "./describe-sizes.ts";
import { describeStopping } from "./describe-stopping.ts";

/** The matrix of tests for every CLI; abilities that its provider does not declare are not tested. */
export function describeCli(row: MatrixRow): void {
  describeRow(row);
  describePureAnswers(row);
  describeOwnTools(row);
  // session-turns.test.ts proves the sessions of the CLIs that have some, and nightly/sessions.test.ts this part alone.
  if (!capabilitiesOf(row.providerAt("")).sessions) describeSessions(row);
  describeObjects(row);
  // nightly/text-tools.test.ts has the CLIs that take host tools as tools of their own; native-tools-bridge.test.ts proves those.
  if (capabilitiesOf(row.providerAt("")).hostTools === "text") describeTextTools(row);
  describeErrors(row);
  describeSizes(row);
  describeStopping(row);
}
