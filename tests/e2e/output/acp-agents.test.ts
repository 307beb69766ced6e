import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { createClient } from "../../../src/index.ts";
import { acpWire, defineProvider, type Provider } from "../../../src/provider.ts";
import type { RunRequest } from "../../../src/spec/request.ts";
import type { RunResult } from "../../../src/spec/result.ts";
import { openTestScope } from "../../support/test-scope.ts";

const SECRET = "sk-ant-api03-Ab3dEf6hIj9kLm2nOp5q";

/** Reads a line of JSON after the other; `read` is the program's own. */
const AGENT = `
  const send = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
  const answer = (id, result) => send({ id, result });
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => read(JSON.parse(line)));
`;

function providerOf(program: string): Provider {
  return defineProvider({
    id: "wren",
    aliases: [],
    label: "Wren",
    binary: { names: [process.execPath] },
    install: "npm install -g wren",
    loginStatus: "not-needed",
    traits: { streaming: "token", reasoning: false, systemPrompt: "none", ownTools: "restrict", usage: "none", cost: false },
    options: ["session-resume"],
    env: { set: {}, strip: [], apiKeys: [] },
    transports: {
      spawn: {
        launch: () => ({ args: ["-e", program] }),
        wire: acpWire(),
        limits: { promptBytes: 1024 },
        stopSignal: "SIGTERM",
      },
    },
    faults: [],
    models: [],
  });
}

async function runAgent(program: string, request: Partial<RunRequest> = {}, changes: Partial<Provider> = {}): Promise<RunResult> {
  const { env } = openTestScope();
  const client = createClient({ providers: [{ ...providerOf(program), ...changes }], env, policies: false });
  onTestFinished(() => client.close());
  return client.run("wren", { prompt: "Hello", ...request }).outcome();
}

it("a program that does not speak the protocol fails with what it printed instead of an answer to initialize", async () => {
  const talks = `console.log("Welcome! Your key is ${SECRET}."); console.log("Say something."); process.stdin.resume();`;
  const { failure } = await runAgent(talks, { timeouts: { totalMs: 1_500 } });
  expect(failure).toMatchObject({
    code: "total-timeout",
    message:
      'Wren was not finished after 1.5 s. It has not answered initialize. Its first line is no message of the protocol: "Welcome! Your key is [redacted].".',
    hint: "Check that its arguments start it as a server of the Agent Client Protocol.",
  });
  const ended = await runAgent(`console.log("x".repeat(5000));`);
  expect(ended.failure).toMatchObject({ code: "no-terminal-event", message: expect.stringContaining("answered initialize") });
  expect(ended.failure?.message.length).toBeLessThan(400);
});

it("an agent that speaks another version of the protocol fails, and both versions are named", async () => {
  const { failure } = await runAgent(`${AGENT} const read = ({ id }) => answer(id, { protocolVersion: 2 });`);
  expect(failure?.message).toBe("The CLI speaks version 2 of the Agent Client Protocol, and Coxswain version 1.");
});

it("a request that the agent does not take is named, with its parameters", async () => {
  const refuse = `const read = ({ id, method }) =>
    method === "initialize" ? answer(id, { protocolVersion: 1 }) : send({ id, error: { code: -32602, message: "Invalid params" } });`;
  const { failure } = await runAgent(AGENT + refuse);
  expect(failure?.message).toBe("session/new (cwd, mcpServers): Invalid params");
});

it("an agent that asks Coxswain for files gets an error, and the run warns of it once", async () => {
  const reads = `let prompt;
    const read = ({ id, method, error }) => {
      if (method === "initialize") answer(id, { protocolVersion: 1 });
      else if (method === "session/new") answer(id, { sessionId: "s1" });
      else if (method === "session/prompt") {
        prompt = id;
        for (const id of ["a", "b"]) send({ id, method: "fs/read_text_file", params: { sessionId: "s1", path: "/etc/hosts" } });
      } else if (id === "b") {
        const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: error.message } };
        send({ method: "session/update", params: { sessionId: "s1", update } });
        answer(prompt, { stopReason: "end_turn" });
      }
    };`;
  const { text, warnings } = await runAgent(AGENT + reads);
  expect(text).toBe("Method not found");
  expect(warnings).toEqual([{ code: "request-unsupported", message: expect.stringContaining("fs/read_text_file") }]);
});

it("an agent whose script is missing is not installed", async () => {
  const script = join(import.meta.dirname, "no-such-agent.mjs");
  const { failure } = await runAgent("", {}, { binary: { script: pathToFileURL(script) } });
  expect(failure).toMatchObject({
    code: "cli-missing",
    message: `Wren was not found (there is no ${script}).`,
    fixCommand: "npm install -g wren",
  });
});

it("an id that is no UUID is refused with what a provider states about its ids", async () => {
  const { failure } = await runAgent("", { session: { resume: "nest-1" } });
  expect(failure).toMatchObject({ code: "session-invalid", hint: expect.stringContaining("sessionIds") });
});
