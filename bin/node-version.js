/**
 * One line for people whose Node is too old, or undefined when it is new enough.
 * @param {string} version
 * @returns {string | undefined}
 */
export function unsupportedNodeMessage(version) {
  const parts = version.replace(/^v/, "").split(".").map(Number);
  if (parts[0] > 22 || (parts[0] === 22 && parts[1] >= 19)) return undefined;
  return `cox needs Node.js 22.19 or newer, but this is ${version}: install a newer one from https://nodejs.org and try again.`;
}
