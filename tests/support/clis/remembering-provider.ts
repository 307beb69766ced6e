import { claude } from "../../../src/clis/claude/provider.ts";
import { residentOf } from "../../../src/clis/claude/resident.ts";
import { claudeStream } from "../../../src/dialects/claude/claude-stream.ts";
import type { Provider, ResidentTransport, Transport } from "../../../src/spec/provider/provider.ts";
import { programProvider } from "./program-provider.ts";

/** A provider that runs a program, by default programs/remembers.mjs, cold and warm. */
export function rememberingProvider(
  program = "remembers",
  warmly: Pick<ResidentTransport, "resumes" | "locksSessions"> = {},
): Provider {
  const provider = programProvider(program, {}, nativeToolsOf(program));
  const spawn = { ...provider.transports.spawn, wire: claudeStream, keepsConversation: true } as const;
  return { ...provider, transports: { spawn, resident: { ...residentOf(spawn), unclearFailures: ["rate_limit"], ...warmly } } };
}

function nativeToolsOf(program: string): Pick<Transport, "nativeTools"> {
  const { nativeTools } = claude.transports.spawn;
  return program === "calls-host-tools" && nativeTools !== undefined ? { nativeTools } : {};
}
