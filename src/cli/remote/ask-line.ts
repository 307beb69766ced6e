import type { RunRequest, Target } from "../../spec/request.ts";
import type { RunContext } from "../../spec/stream.ts";

/** A question of a terminal, as it goes to `cox serve` in one line. */
export type AskLine = {
  readonly surroundings: string;
  readonly retries: number;
  readonly targets: readonly [Target, ...Target[]];
  readonly request: RunRequest;
  readonly commit?: RunContext["commit"];
};
