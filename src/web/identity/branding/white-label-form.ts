import { DEFAULT_BRAND } from '#contract/appearance/tokens.ts'
import { fieldSentences } from '#contract/field-sentences.ts'
import { type DomainWhiteLabel, DomainWhiteLabelSave } from '#contract/identity/branding/white-labels.ts'
import type { Labels } from '#web/ui/record/differences.ts'
import { showValue } from '#web/ui/record/show-record-value.ts'

export const PURPOSE_NAMES: Record<DomainWhiteLabel['purpose'], string> = {
  office: 'Back office',
  public: 'Public pages',
}

/** Form values. A picture is the URL of a saved one, a data URL of a new one, or empty for none. */
export type WhiteLabelValues = {
  domain: string
  purpose: DomainWhiteLabel['purpose']
  title: string
  brand: string
  logo: string
  favicon: string
  footer: string
}

/** Field labels, in the order of the form. */
export const FIELD_NAMES: Labels<WhiteLabelValues> = {
  domain: 'Domain',
  purpose: 'Used for',
  title: 'Title',
  brand: 'Color',
  logo: 'Logo',
  favicon: 'Favicon',
  footer: 'Footer',
}

export const BLANK: WhiteLabelValues = {
  domain: '',
  purpose: 'office',
  title: '',
  brand: DEFAULT_BRAND,
  logo: '',
  favicon: '',
  footer: '',
}

export function toValues(label: DomainWhiteLabel): WhiteLabelValues {
  const { domain, purpose, title, brand, footer } = label
  return { domain, purpose, title, brand, footer, logo: label.logo ?? '', favicon: label.favicon ?? '' }
}

/** Input for the contract, with internationalized domains in their ASCII form. */
export function toInput(values: WhiteLabelValues) {
  return { ...values, domain: asciiOf(values.domain) }
}

function asciiOf(typed: string): string {
  const name = typed.trim().replace(/\.$/, '')
  // ASCII is sent as typed, so that error messages refer to what the user typed.
  if (/^[\x20-\x7E]*$/.test(name) || /[\s/\\:@?#%]/.test(name) || !URL.canParse(`https://${name}`))
    return name
  return new URL(`https://${name}`).hostname
}

/** Error messages by field, from the contract. */
export function checkWhiteLabel(values: WhiteLabelValues): Record<string, string> {
  const { error } = DomainWhiteLabelSave.safeParse(toInput(values))
  return error ? fieldSentences(error) : {}
}

/** A field value as text, for the comparison of conflicting changes. */
export function showField(name: string, values: WhiteLabelValues): string {
  if (name === 'purpose') return PURPOSE_NAMES[values.purpose]
  if (name === 'logo' || name === 'favicon') return values[name] === '' ? 'None' : 'A picture'
  return showValue({ ...values }[name])
}
