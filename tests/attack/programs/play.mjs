// Plays the hostile program ATTACK_PROGRAM on the wire ATTACK_WIRE.
import { writeFileSync } from "node:fs";
import { output } from "./output.mjs";
import { processes } from "./processes.mjs";
import { values } from "./values.mjs";
import { wires } from "./wires.mjs";

const wire = wires[process.env.ATTACK_WIRE];
const play = { ...output, ...processes, ...values }[process.env.ATTACK_PROGRAM];
if (process.argv.includes("--version")) process.stdout.write(`${wire.version}\n`);
else {
  if (play !== undefined) writeFileSync(`${process.env.ATTACK_PLACE}/played`, process.env.ATTACK_PROGRAM);
  await play(wire);
}
