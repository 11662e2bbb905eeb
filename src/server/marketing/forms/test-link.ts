import { signedLinks } from '../signed-links.ts'

/** What makes the page of a form a test: signed, so that no one else can turn a buyer's lead into one, and for an hour. */
export const { write: writeTestMark, read: readTestMark } = signedLinks('test links of public forms')
