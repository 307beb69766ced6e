// Makes calls until a process answers that was already running, prints when it answered, and closes nothing.
import { setTimeout as delay } from "node:timers/promises";
import { prepare } from "./contestants/coxswain.ts";
import { toQuestion } from "./question.ts";

const { warmly, ...settings } = JSON.parse(process.argv[2] ?? "{}");
const { ask } = await prepare(settings);
for (let call = 0; call < 10; call += 1) {
  const { warm } = await ask(toQuestion(warmly));
  if (warm) {
    process.stdout.write(String(performance.timeOrigin + performance.now()));
    break;
  }
  await delay(1000);
}
