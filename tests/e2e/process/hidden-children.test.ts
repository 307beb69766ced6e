import { beforeAll, expect, it } from "vitest";
import { createClient } from "../../../src/index.ts";
import { createProgramClient, type ProgramClient } from "../../support/clis/program-client.ts";
import { programProvider } from "../../support/clis/program-provider.ts";
import { finishRun, watchRun } from "../../support/runs/read-run.ts";
import { expectNothingIn, inRounds, ROUNDS_TIMEOUT_MS, WAYS } from "./hidden-children.ts";

const timeout = ROUNDS_TIMEOUT_MS;

// The guardian of this worker sees a tool only after it has started itself; a client is closed when it has answered once.
beforeAll(async () => {
  const client = createClient({ policies: false, providers: [programProvider("answers")] });
  await client.run("bad", { prompt: "Say something." }).result();
  await client.close();
});

it.each([...WAYS, "daemon of a tool"] as const)("%s: nothing is left after an answer and close()", { timeout }, (how) =>
  inRounds(async () => {
    const program = hidingProgram(how, { ANSWER: "1" });
    expect((await finishRun(program.start())).end.finish).toBe("stop");
    await expectNothingAfterClose(program);
  }),
);

it.each(WAYS)("%s: nothing is left after an abort and close()", { timeout }, (how) =>
  inRounds(async () => {
    const program = hidingProgram(how);
    const abort = new AbortController();
    const run = watchRun(program.start({ signal: abort.signal }));
    await run.begun;
    abort.abort();
    expect((await run.finished).end.finish).toBe("cancelled");
    await expectNothingAfterClose(program);
  }),
);

it.each(WAYS)("%s: nothing is left without a guardian", { timeout }, (how) =>
  inRounds(async () => {
    const program = hidingProgram(how, {}, false);
    const run = watchRun(program.start());
    await run.begun;
    await expectNothingAfterClose(program);
    expect((await run.finished).end.finish).toBe("cancelled");
  }),
);

function hidingProgram(
  how: (typeof WAYS)[number] | "daemon of a tool",
  env: Readonly<Record<string, string>> = {},
  guardian = true,
): ProgramClient {
  const request = { env: { HOW: how, ...env }, ...(how === "daemon of a tool" && ({ mode: "agent", cwd: "/" } as const)) };
  return createProgramClient("hides-children", { guardian, request });
}

async function expectNothingAfterClose({ client, directory }: ProgramClient): Promise<void> {
  await client.close();
  await expectNothingIn(directory);
}
