import type { McpTools } from "../../agent/index.ts";
import { createFailure, type Failure } from "../../spec/failure/failure.ts";
import type { McpServer } from "../../spec/request.ts";
import { pageWidth, type Screen } from "../terminal/screen.ts";
import { toOneLine } from "../terminal/terminal-text.ts";
import { WaitingSign } from "../terminal/waiting-sign.ts";

type Connect = typeof import("../../agent/index.ts")["connectMcp"];

export type ServerWatch = {
  readonly signal: AbortSignal;
  /** The milliseconds that they may take; no limit of the command line by default. */
  readonly leftMs?: number;
  readonly screen: Screen;
  readonly hasSign: boolean;
};

const SILENT_MS = 10_000;

/**
 * Connects to the MCP servers of a run. A person at a terminal sees which ones are waited for, and a line names those that are silent for ten
 * seconds. Returns a failure if they take too long.
 */
export async function startServers(
  connect: Connect,
  servers: Readonly<Record<string, McpServer>>,
  { signal, leftMs, screen, hasSign }: ServerWatch,
): Promise<McpTools | Failure> {
  const silent = new Set(Object.keys(servers));
  const names = (): string => [...silent].map((name) => toOneLine(name, 60)).join(", ");
  const sign = hasSign && silent.size > 0 ? new WaitingSign(screen, () => `MCP servers: ${names()}`, pageWidth) : undefined;
  const shown = sign?.behind() ?? screen;
  const tell = (): void => shown.note(`! MCP servers that have not answered for ${SILENT_MS / 1000} s: ${names()}\n`);
  const notice = screen.noteWidth === undefined ? undefined : setTimeout(tell, SILENT_MS);
  const late = new AbortController();
  const limit = leftMs === undefined ? undefined : setTimeout(() => late.abort(), leftMs);
  try {
    return await connect(servers, AbortSignal.any([signal, late.signal]), (name) => void silent.delete(name));
  } catch (error) {
    if (!late.signal.aborted || signal.aborted) throw error;
    return createFailure("total-timeout", `MCP servers that did not answer before --timeout: ${names()}`, {
      hint: "Raise --timeout, or check these servers.",
    });
  } finally {
    clearTimeout(notice);
    clearTimeout(limit);
    sign?.stop();
  }
}
