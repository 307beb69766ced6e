/** One line for people whose Node is too old, or undefined when it is new enough. */
export function unsupportedNodeMessage(version: string): string | undefined;
