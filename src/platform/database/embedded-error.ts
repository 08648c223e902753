/** The directory of the embedded engine cannot be used; the message says what to do. */
export class EmbeddedError extends Error {}
