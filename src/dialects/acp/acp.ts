import type { Wire } from "../../spec/wire/wire.ts";
import type { AcpCli } from "./acp-cli.ts";
import { AcpConnection, spareSettings } from "./acp-connection.ts";

/** The wire of a CLI that speaks the Agent Client Protocol: each stateless request has its own session. */
export function acpWire(cli: AcpCli): Wire {
  return {
    framing: "stream-json",
    turnsAtOnce: cli.turnsAtOnce,
    preparation: { settingsOf: (request) => spareSettings(cli, request), bindsToSettings: () => false },
    connect: (place) => new AcpConnection(cli, place?.directory ?? "/"),
  };
}
