// One contestant in its own process: executes the requests of its parent over IPC and reports times in milliseconds. Plain
// JavaScript, because stripping types would take most of the memory that is measured here.
import { describeError } from "./describe-error.mjs";

const contestants = {
  bare: () => import("./contestants/bare.mjs"),
  coxswain: () => import("./contestants/coxswain.mjs"),
  "coxswain-ai-sdk": () => import("./contestants/coxswain-ai-sdk.mjs"),
  "coxswain-gateway": () => import("./contestants/coxswain-gateway.mjs"),
  "claude-agent-sdk": () => import("./contestants/claude-agent-sdk.mjs"),
  "ai-sdk-provider-claude-code": () => import("./contestants/ai-sdk-provider-claude-code.mjs"),
  "codex-sdk": () => import("./contestants/codex-sdk.mjs"),
  "ai-sdk-provider-codex-cli": () => import("./contestants/ai-sdk-provider-codex-cli.mjs"),
  "warm-coxswain": () => import("../warm/contestants/coxswain.ts"),
  "warm-floor": () => import("../warm/contestants/floor.mjs"),
  "warm-startup": () => import("../warm/contestants/claude-startup.mjs"),
  "warm-streaming-input": () => import("../warm/contestants/claude-streaming-input.mjs"),
  "warm-app-server": () => import("../warm/contestants/codex-app-server.mjs"),
  "warm-acpx": () => import("../warm/contestants/acpx.mjs"),
};

const settings = JSON.parse(process.argv[2]);
const { prepare } = await contestants[settings.contestant]();
const contestant = await prepare(settings);
let abort = () => {};

async function ask({ question }) {
  const controller = new AbortController();
  const began = performance.now();
  let abortedAt;
  let firstTextMs;
  abort = () => {
    abortedAt = performance.now();
    controller.abort();
  };
  const onText = () => {
    firstTextMs ??= performance.now() - began;
  };
  const outcome = await contestant.ask(question, controller.signal, onText).then(
    (answer) => (typeof answer === "string" ? { text: answer } : answer),
    (error) => ({ error: describeError(error) }),
  );
  const ended = performance.now();
  return { ...outcome, firstTextMs, totalMs: ended - began, sinceAbortMs: abortedAt && ended - abortedAt };
}

const orders = {
  ask,
  abort: async () => abort(),
  plan: async ({ question }) => contestant.plan(question),
  do: async ({ name, details }) => contestant[name](details),
  cpu: async () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
};

process.on("message", (order) => {
  if (order.kind === "end") return void Promise.resolve(contestant.close?.()).then(() => process.exit());
  return void orders[order.kind](order).then((value) => process.send({ id: order.id, value }));
});
process.on("disconnect", () => process.exit());
// An error that a wrapper does not pass to its caller would end the host; it is sent in place of the missing report.
process.on("uncaughtException", (error) => process.send({ stray: describeError(error) }));
process.send({ ready: true });
