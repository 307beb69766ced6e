import { parseArgs } from "node:util";

/** The options of `npm run drift`. */
export type DriftOptions = {
  readonly cli: string | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly probe: string;
  readonly json: boolean;
  readonly record: string | undefined;
  readonly suite: boolean;
  /** The files of the real suite to run; all by default. */
  readonly tests: readonly string[];
  readonly help: boolean;
};

/** What `--help` prints. */
export const HELP = `Compares two versions of a CLI: what it prints, what it asks the model, what Coxswain makes of it.

npm run drift -- [options]

  --cli NAME       this CLI of tests/support/real-clis/pinned-clis.json; all that have a newer version by default
  --from VERSION   the version to compare with; the pinned one by default
  --to VERSION     the version to look at; the newest of the registry by default
  --probe WORDS    only the probes whose name holds these words
  --no-suite       leave out the real suite on the new version
  --tests FILE     run only this file of the real suite; repeatable
  --record DIR     write what the new version printed as fixtures (case.json, stdout, stderr) below DIR/<cli>
  --json           print the differences as JSON
  --help           print this

The report is written to reports/drift-<cli>.md. Exit code 0: compared, whatever was found.
`;

/** Reads the arguments; throws for an unknown one. */
export function readOptions(args: readonly string[]): DriftOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      cli: { type: "string" },
      from: { type: "string" },
      to: { type: "string" },
      probe: { type: "string", default: "" },
      json: { type: "boolean", default: false },
      record: { type: "string" },
      "no-suite": { type: "boolean", default: false },
      tests: { type: "string", multiple: true, default: [] },
      help: { type: "boolean", default: false },
    },
  });
  const { cli, from, to, probe, json, record, help, tests } = values;
  return { cli, from, to, probe, json, record, help, tests, suite: !values["no-suite"] };
}
