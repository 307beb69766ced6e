export type { ModelAliases } from "../doors/find-targets.ts";
export type { GatewayApp } from "./create-app.ts";
export { createGateway } from "./create-gateway.ts";
export type { AgentAccess, GatewayOptions, RequestLimits } from "./gateway-options.ts";
export type { RequestEntry } from "./request-record.ts";
export { type ServedGateway, type ServeOptions, type ServerLimits, serveGateway } from "./serve-gateway.ts";
export { readToken, type StoredToken } from "./token-file.ts";
