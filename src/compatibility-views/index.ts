export type { SessionMethods } from "../spec/session.ts";
export { type AnyProviderError, ProviderError, type ProviderErrorType, toProviderError } from "./provider-error.ts";
export {
  type AgentNeeds,
  type AgentSpec,
  type CreatedSession,
  createSessionProvider,
  type SessionBeginning,
  type SessionClient,
  type SessionProvider,
  type ToolResult,
} from "./session-provider.ts";
