import { claimNumber } from "../../process/claim-number.ts";

// Takes the next free number and plays the fake CLI script of that number.
const scripts: readonly string[] = JSON.parse(process.env["FAKE_SCRIPTS"] ?? "[]");
const script = scripts[claimNumber(process.env["FAKE_STARTS"] ?? "")];
if (script === undefined) throw new Error(`started more often than ${scripts.length} times`);
await import(script);
