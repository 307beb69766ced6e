import type { TurnEnd, Wire } from "../../spec/wire/wire.ts";
import type { AcpCli, RpcError } from "./acp-cli.ts";
import { AcpConnection, spareSettings } from "./acp-connection.ts";

/** What holds for an agent of which nothing else is known. */
const ORDINARY: AcpCli = { turnsAtOnce: 1, turnsPerProcess: 100, loads: false, endOf: endByError };

/** The wire of a CLI that speaks the Agent Client Protocol: each stateless request has its own session. */
export function acpWire(differences: Partial<AcpCli> = {}): Wire {
  const cli = { ...ORDINARY, ...differences };
  return {
    framing: "stream-json",
    protocol: "acp",
    turnsAtOnce: cli.turnsAtOnce,
    preparation: { settingsOf: (request) => spareSettings(cli, request), bindsToSettings: () => false },
    connect: (place) => new AcpConnection(cli, place?.directory ?? "/"),
  };
}

/** The number of the error is its kind, such as -32000, which asks for a login; some CLIs put an HTTP status there. */
function endByError({ code, message, details, event }: RpcError): TurnEnd {
  const words = details === undefined ? message : `${message}: ${details}`;
  const status = code >= 400 && code < 600 ? { status: code } : {};
  return { finish: "error", fault: { kind: String(code), ...status, message: words, event } };
}
