/** Bytes of a submitted form without files. */
export const FORM_LIMIT = 262_144
