import type { Client, ClientOptions } from "../../../src/index.ts";
import { CLI_ROWS, type CliName } from "../../../tests/support/real-clis/rows/index.ts";
import type { CallReport, Question } from "../../rivals/host-process.ts";

/** What a host tells its contestant at the start. */
type Settings = Pick<ClientOptions, "warm"> & {
  readonly cli: CliName;
  readonly apiUrl: string;
  readonly model?: string;
  readonly dist: string;
};

type Answer = Pick<CallReport, "text" | "warm" | "sessionId">;

type Ask = (question: Omit<Question, "variant">, signal?: AbortSignal, onText?: () => void) => Promise<Answer>;

/** What a host can order. */
type Contestant = {
  readonly ask: Ask;
  /** Calls at the same time: the time until the last answer, and how many were warm. */
  burst(details: { readonly questions: readonly Question[] }): Promise<{ readonly wallMs: number; readonly warm: number }>;
  kept(): ReturnType<Client["warmProcesses"]>;
  close(): Promise<void>;
};

/** Coxswain as built into dist, with its defaults; `how` of a question chooses the transport and the session. */
export async function prepare({ cli, apiUrl, model, dist, warm }: Settings): Promise<Contestant> {
  const { createClient } = (await import(dist)) as typeof import("../../../src/index.ts");
  const provider = CLI_ROWS[cli].providerAt(apiUrl);
  const client = createClient({ providers: [provider], ...(warm !== undefined && { warm }) });
  const ask = askWith(client, { provider: provider.id, ...(model !== undefined && { model }) });
  return {
    ask,
    async burst({ questions }) {
      const began = performance.now();
      const answers = await Promise.all(questions.map((question) => ask(question)));
      return { wallMs: performance.now() - began, warm: answers.filter(({ warm: isWarm }) => isWarm).length };
    },
    kept: () => client.warmProcesses(),
    close: () => client.close(),
  };
}

function askWith(client: Client, target: { readonly provider: string; readonly model?: string }): Ask {
  return async ({ prompt, system, how = {} }, signal, onText) => {
    const { transport = "auto", session } = how as {
      transport?: "auto" | "spawn" | "resident";
      session?: { keep: true } | { resume: string };
    };
    const context = { ...(signal !== undefined && { signal }), ...(session !== undefined && { keepsProcess: true }) };
    const run = client.run({ ...target, transport }, { prompt, system, ...(session !== undefined && { session }) }, context);
    let isWarm = false;
    for await (const event of run) {
      if (event.type === "attempt-start") isWarm = event.warm;
      if (event.type === "text-delta") onText?.();
    }
    const { text, sessionId } = await run.result();
    return { text, warm: isWarm, ...(sessionId !== undefined && { sessionId }) };
  };
}
