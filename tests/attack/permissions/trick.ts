import type { FakeApiRequest, FakeToolCall } from "../../../src/testing/index.ts";

/** What a call of a trick may use. */
export type CallPlace = {
  /** The path of the file that the call leaves; its name tells the trick. */
  readonly file: string;
  /** The name of that file, which also stands in the text that is written. */
  readonly mark: string;
  readonly root: string;
  readonly workspace: string;
  readonly outside: string;
  readonly home: string;
  /** A folder in the shared temporary directory. */
  readonly temporary: string;
  /** The request that the call answers. */
  readonly request: FakeApiRequest;
};

/** One forbidden order of the model: a call of a tool that leaves a file. */
export type Trick = {
  readonly name: string;
  readonly toCall: (place: CallPlace) => FakeToolCall;
  /** True for a call that only prepares the next ones, such as reading a file; it leaves nothing. */
  readonly prepares?: boolean;
  /** True for a call that only tries whether a tool exists and writes; it need not leave anything where everything is allowed. */
  readonly probes?: boolean;
};

/** The tricks of one answer of the model; their calls are made at once. */
export type Step = readonly Trick[];

/** The letters that stand in front of the names of all files that tricks leave. */
export const MARK = "made-";

/** The name of the file that a trick leaves. */
export function markOf({ name }: Trick): string {
  return `${MARK}${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}-qed`;
}
