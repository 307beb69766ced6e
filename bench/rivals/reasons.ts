/** Why Coxswain is behind in a row, by the row's id, or by CLI and id; printed only when it is. */
export const REASONS: Readonly<Record<string, string>> = {};
