import { expect, it, onTestFinished } from "vitest";
import { createCoxswain } from "../../../src/adapters/ai-sdk/index.ts";
import { createCliProvider } from "../../../src/adapters/langchain/index.ts";
import { connectMcp, createAgent } from "../../../src/agent/index.ts";
import { createGateway } from "../../../src/gateway/index.ts";
import { createClient } from "../../../src/index.ts";

it.each<[what: string, options: unknown, message: string]>([
  ["an option", { polices: {} }, 'createClient has no field "polices". Did you mean policies?'],
  ["a limit", { limits: { lineByte: 1 } }, 'createClient.limits has no field "lineByte". Did you mean lineBytes?'],
  [
    "a policy",
    { policies: { rety: {} } },
    'There is no policy "rety": retry, fallback, cooldown, limit, budget. Did you mean retry?',
  ],
  ["an option of a policy", { policies: { retry: { retrys: 1 } } }, "Did you mean retries?"],
  ["an option for warm processes", { warm: { procesess: 1 } }, "Did you mean processes?"],
  ["a program", { binaries: { clade: "/bin/true" } }, 'createClient.binaries has no field "clade". Did you mean claude?'],
  [
    "a provider without its fields",
    { providers: [{ id: "parrot", binary: { names: ["parrot"] }, transports: { spawn: {} } }] },
    'The provider "parrot" lacks aliases, label, install, traits, options, env, faults, models.',
  ],
  ["a variable that is a number", { env: { A: 1 } }, "env.A must be a string, not a number."],
  ["a variable that is null", { env: { A: null } }, "env.A must be a string, not null."],
])("createClient refuses %s with a misspelt name or a wrong type", (_what, options, message) => {
  const create = (): unknown => Reflect.apply(createClient, undefined, [options]);
  expect(create).toThrow(TypeError);
  expect(create).toThrow(message);
});

it.each<[what: string, request: object, context: object, message: string]>([
  ["a misspelt prompt", { prompt: undefined, promt: "Hello" }, {}, 'request has no field "promt". Did you mean prompt?'],
  ["a field of a context", {}, { onPermision: () => {} }, 'context has no field "onPermision". Did you mean onPermission?'],
  [
    "a variable of an MCP server that is a number",
    { mcpServers: { notes: { command: "notes", env: { A: 1 } } } },
    {},
    "request.mcpServers.notes.env.A must be a string, not a number.",
  ],
  [
    "a misspelt field of an MCP server",
    { mcpServers: { notes: { command: "notes", ags: ["--read-only"] } } },
    {},
    'request.mcpServers.notes has no field "ags". Did you mean args?',
  ],
  ["a variable of a request that is a number", { env: { A: 1 } }, {}, "request.env.A must be a string, not a number."],
])("a run, its plan and a session refuse %s", (_what, request, context, message) => {
  const client = createClient();
  onTestFinished(() => client.close());
  const asked = [{ prompt: "Hello", ...request }, context];
  expect(() => Reflect.apply(client.run, client, ["rehearsal", ...asked])).toThrow(new TypeError(message));
  expect(() => Reflect.apply(client.plan, client, ["rehearsal", ...asked])).toThrow(new TypeError(message));
  const session = client.session({ target: "rehearsal" });
  expect(() => Reflect.apply(session.stream, session, asked)).toThrow(new TypeError(message));
});

it("a run and its plan refuse a misspelt choice of a session", () => {
  const client = createClient();
  onTestFinished(() => client.close());
  const request = { prompt: "Hello", session: { keep: true, frok: "id" } } as never;
  const refused = new TypeError('request.session has no field "frok". Did you mean fork?');
  for (const name of ["run", "plan"] as const) expect(() => client[name]("rehearsal", request)).toThrow(refused);
});

it("a target refuses a misspelt name", async () => {
  const client = createClient();
  onTestFinished(() => client.close());
  const target = { provider: "rehearsal", modle: "fast" } as never;
  const refused = new TypeError('target has no field "modle". Did you mean model?');
  for (const name of ["run", "plan"] as const) expect(() => client[name](target, { prompt: "Hello" })).toThrow(refused);
  expect(() => client.run(["rehearsal", target], { prompt: "Hello" })).toThrow(refused);
  expect(() => client.session({ target })).toThrow(refused);
  expect(() => client.check(target)).toThrow(refused);
});

it.each<[what: string, create: (...options: never) => unknown, options: object, message: string]>([
  ["createCoxswain", createCoxswain, { default: {} }, 'createCoxswain has no field "default". Did you mean defaults?'],
  ["createGateway", createGateway, { token: "t", origin: [] }, 'createGateway has no field "origin". Did you mean origins?'],
  [
    "the limits of a gateway",
    createGateway,
    { token: "t", limits: { waitMS: 1 } },
    'createGateway.limits has no field "waitMS". Did you mean waitMs?',
  ],
  ["an agent", createAgent, { model: "cli:rehearsal", tols: [] }, 'createAgent has no field "tols". Did you mean tools?'],
  [
    "the budget of an agent",
    createAgent,
    { model: "cli:rehearsal", budget: { token: 5 } },
    "There is no option budget.token: usd, tokens, wallMs. Did you mean tokens?",
  ],
])("%s refuses a misspelt name", (_what, create, options, message) => {
  expect(() => Reflect.apply(create, undefined, [options])).toThrow(new TypeError(message));
});

it("an agent refuses a budget that is none", () => {
  const create = (budget: unknown) => (): unknown => createAgent({ model: "cli:rehearsal", budget } as never);
  expect(create({ usd: -1 })).toThrow(new TypeError("budget.usd cannot be -1."));
  expect(create(5)).toThrow(new TypeError("budget must be an object."));
});

it("an agent that is asked for a structured answer without a schema or a tool throws", () => {
  const agent = createAgent({ model: "cli:rehearsal" });
  const ask =
    (name: keyof typeof agent, ...words: unknown[]) =>
    () =>
      Reflect.apply(agent[name], agent, words);
  const noSchema = new TypeError("A structured answer needs a JSON Schema object or a Standard Schema.");
  expect(ask("askStructured", "Hello")).toThrow(noSchema);
  expect(ask("askWithHistoryStructured", [], "Hello")).toThrow(noSchema);
  expect(ask("askWithHistoryStructuredViaTool", [], "Hello")).toThrow(
    new TypeError("A structured answer by a tool needs the tool, with a name and parameters."),
  );
});

it("connectMcp refuses a misspelt field of a server", async () => {
  const servers = { notes: { comand: "notes" } } as never;
  await expect(connectMcp(servers)).rejects.toThrow(
    new TypeError('connectMcp.notes has no field "comand". Did you mean command?'),
  );
});

it("an adapter refuses a text in place of messages", async () => {
  const adapter = createCliProvider("rehearsal");
  const refusal = new TypeError('An adapter takes a list of messages, such as [new HumanMessage("…")].');
  await expect(adapter.invoke("Hello" as never)).rejects.toThrow(refusal);
  await expect(adapter.invokeWithUpdates("Hello" as never, () => {})).rejects.toThrow(refusal);
});

it("a check of a CLI refuses a misspelt name", async () => {
  const client = createClient();
  onTestFinished(() => client.close());
  const ask = (name: "check" | "validateEnvironment" | "listModels", options: object): unknown =>
    Reflect.apply(client[name], client, ["rehearsal", options]);
  await expect(ask("check", { depp: true })).rejects.toThrow(new TypeError('check has no field "depp". Did you mean deep?'));
  const timeout = { timeoutMS: 1 };
  for (const name of ["validateEnvironment", "listModels"] as const)
    await expect(ask(name, timeout)).rejects.toThrow(new TypeError(`${name} has no field "timeoutMS". Did you mean timeoutMs?`));
});
