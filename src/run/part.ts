import type { RunEnd } from "../spec/events.ts";
import type { PromptRequest, RunRequest } from "../spec/request.ts";
import type { RunContext } from "../spec/stream.ts";
import type { EventSink } from "./event-sink.ts";
import type { KnownTarget, ResolvedTarget } from "./resolve-target.ts";
import type { RunWriter } from "./run-writer.ts";
import type { TotalTime } from "./total-time.ts";

/** What a part of a run is given besides its request. */
export type PartContext = Pick<RunContext, "onPermission"> & {
  /** Aborted when the run is cancelled or the part is to stop. */
  readonly signal: AbortSignal;
  readonly writer: RunWriter;
  /** The total time of the request, if it sets one; all attempts and waits share it. */
  readonly total?: TotalTime;
  /** From when on an attempt that fails is not repeated. */
  readonly commit: () => "first-event" | "end";
  /** Takes the events of attempts instead of the writer. */
  readonly sink?: EventSink;
};

/** A part of a run: writes its events to the run's writer, all but `run-start` and `run-end`, and returns how it ended. Never rejects. */
export type Part = (
  targets: readonly [ResolvedTarget, ...ResolvedTarget[]],
  request: RunRequest,
  context: PartContext,
) => Promise<RunEnd>;

/** One process that takes one prompt: what every part comes down to. Rejects where the request breaks its provider. */
export type Attempt = (cli: KnownTarget, request: PromptRequest, context: PartContext) => Promise<RunEnd>;
