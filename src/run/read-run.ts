import { createFailure } from "../spec/create-failure.ts";
import type { Provider } from "../spec/provider.ts";
import type { PromptRequest, RunRequest } from "../spec/request.ts";
import type { RunContext, RunStream } from "../spec/stream.ts";
import type { Reader } from "../tools/open-reader.ts";
import { type SchemaPlace, toPromptRequest } from "../tools/to-prompt.ts";
import { toCorrection } from "./correction.ts";
import { type Pass, PassReader } from "./pass-reader.ts";
import { Relay } from "./relay.ts";
import type { RunHost } from "./runner.ts";

/** What a run with host tools or a schema is made of. */
export type ReadRunParts = {
  readonly host: RunHost;
  readonly provider: Provider;
  readonly request: RunRequest;
  readonly context: RunContext;
  readonly schemaPlace: SchemaPlace;
  /** Starts one call of the CLI. */
  readonly start: (request: PromptRequest) => RunStream;
};

/** A run whose answer is read: for calls of host tools, for a structured value, or both. What cannot be used goes back once. */
export class ReadRun {
  readonly stream: RunStream;
  private readonly parts: ReadRunParts;
  private readonly relay: Relay;
  private inner: RunStream | undefined;
  private isCancelled = false;

  constructor(parts: ReadRunParts) {
    this.parts = parts;
    this.relay = new Relay(parts.host, parts.request, { keepEvents: parts.context.keepEvents === true, cancel: this.cancel });
    this.stream = this.relay.stream;
    void this.drive().catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      this.relay.fail(createFailure("unclassified", `The answer could not be read: ${why}`));
    });
  }

  private readonly cancel = (): void => {
    this.isCancelled = true;
    this.inner?.interrupt();
  };

  /** The readers bring libraries along that plain runs do without, so they are loaded here. */
  private async drive(): Promise<void> {
    const { request, schemaPlace } = this.parts;
    const { findSchemaProblem, openReader } = await import("../tools/open-reader.ts");
    const unusable = findSchemaProblem([request.outputSchema, ...(request.tools ?? []).map(({ parameters }) => parameters)]);
    if (unusable !== undefined) {
      return this.relay.fail(createFailure("schema-unreadable", `A schema of the request cannot be used: ${unusable}`));
    }
    if (this.isCancelled) return this.relay.fail(createFailure("interrupted", "The run was cancelled."));
    const reader = openReader(request, schemaPlace);
    const first = await this.pass(reader, toPromptRequest(request, schemaPlace));
    if (first.problems.length === 0 || first.end?.failure !== undefined) return this.finish(first);
    this.relay.add({ type: "warning", code: "tool-call-corrected", message: first.problems.join(" ") });
    if (this.isCancelled) return this.relay.fail(createFailure("interrupted", "The run was cancelled."));
    this.finish(await this.pass(reader, toCorrection(request, schemaPlace, first)));
  }

  private async pass(reader: Reader, request: PromptRequest): Promise<Pass> {
    const pass = new PassReader(reader, this.relay);
    this.relay.beginCall();
    this.inner = this.parts.start(request);
    for await (const batch of this.inner.batches()) {
      for (const event of batch) pass.take(event);
      this.relay.flush();
    }
    return pass.result();
  }

  private finish({ end, calls, problems, answerId, said }: Pass): void {
    if (end === undefined || end.failure !== undefined) {
      const failure = end?.failure ?? createFailure("no-terminal-event", "The run ended without saying so.");
      return this.relay.fail(failure, end?.finish);
    }
    if (problems.length > 0) return this.relay.fail(this.unusable(problems, said));
    for (const { id, name, args } of calls) this.relay.add({ type: "tool-call", id, name, input: args, executor: "host" });
    this.relay.end(calls.length > 0 ? "tool-calls" : end.finish, answerId);
  }

  private unusable(problems: readonly string[], partialText: string): ReturnType<typeof createFailure> {
    const { provider, request } = this.parts;
    const isAboutTools = (request.tools ?? []).length > 0;
    const message = `${provider.label} answered twice in a way that cannot be used: ${problems.join(" ")}`;
    return createFailure(isAboutTools ? "tool-call-unreadable" : "schema-mismatch", message, { partialText });
  }
}
