import { textNamed, withTexts } from '#contract/leads/adf/add-texts.ts'
import type { AdfLead } from '#contract/leads/adf/adf-lead.ts'
import { readAdf } from '#contract/leads/adf/read-adf.ts'
import { element } from './adf-elements.ts'

/** The buyer of an email, with the lines that aren't in its message; null if there are none. */
export function restOfMail(
  left: string | null,
  { name, email }: Readonly<{ name: string | null; email: string }>,
): AdfLead | null {
  const texts = textNamed('text_of_the_email', left)
  if (texts.length === 0) return null
  const contact = element('contact', [
    ...(name === null ? [] : [element('name', name, { part: 'full' })]),
    element('email', email),
  ])
  const [lead] = readAdf(element('adf', [element('prospect', [element('customer', [contact])])])).leads
  // The other warnings are about the form of ADF documents.
  return lead === undefined ? null : withTexts({ ...lead, warnings: [] }, texts)
}
