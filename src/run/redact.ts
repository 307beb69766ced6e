/** Shapes of secrets that CLIs and clouds use: keys with a known prefix, bearer tokens, and `name=value` of telling names. */
const SECRETS: readonly RegExp[] = [
  /\b(?:sk|pk|rk)-[A-Za-z0-9_-]{8,}/g,
  /\b(?:ghp|gho|ghu|ghs|github_pat|glpat|xai|gsk)[-_][A-Za-z0-9_]{16,}/g,
  /\bAIza[A-Za-z0-9_-]{20,}/g,
  /\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]*)?/g,
];
const BEARER = /\b(bearer\s+)[A-Za-z0-9._~+/-]{8,}=*/gi;
const ASSIGNED = /\b([A-Z0-9_]*(?:api_?key|token|secret|password)["']?\s*[=:]\s*["']?)[^\s"',;]{6,}/gi;

/** The text with everything that looks like a secret replaced. */
export function redact(text: string): string {
  let clean = text;
  for (const shape of SECRETS) clean = clean.replace(shape, "[redacted]");
  return clean.replace(BEARER, "$1[redacted]").replace(ASSIGNED, "$1[redacted]");
}
