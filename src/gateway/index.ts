export { createGateway, type GatewayApp } from "./create-gateway.ts";
export type { AgentAccess, GatewayOptions, RequestLimits } from "./gateway-options.ts";
export type { RequestEntry } from "./request-record.ts";
export { readToken, type StoredToken } from "./serve-files.ts";
export { type ServedGateway, type ServeOptions, type ServerLimits, serveGateway } from "./serve-gateway.ts";
