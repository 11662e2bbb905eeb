import type { TemplateTexts } from '#contract/mail/templates/templates.ts'

export type BuiltInTemplate = {
  id: string
  title: string
  variables: readonly { name: string; about: string; sample: string }[]
  words: TemplateTexts
  /** In other languages, for recipients who read them. A customer's own text replaces all of them. */
  translations?: Readonly<Record<'es' | 'fr' | 'de', TemplateTexts>>
}

/** Variables about the recipient. */
export const NAMES = [
  { name: 'firstName', about: "The recipient's first name", sample: 'Sofia' },
  { name: 'fullName', about: "The recipient's full name", sample: 'Sofia Marino' },
  { name: 'userName', about: "The recipient's user name", sample: 'sofia.marino' },
  { name: 'title', about: 'The product name on your domain', sample: 'Northgate Cars' },
] as const

/** A link as a button, or a code in large digits. */
export const button = (label: string): string => `<mj-button href="{{ link }}">${label}</mj-button>`
export const CODE =
  '<mj-text font-size="32px" line-height="40px" letter-spacing="6px" font-weight="700">{{ code }}</mj-text>'

/** The layout of the built-in templates: one column, readable without pictures. */
export function layout({
  body,
  action = '',
  small,
  greeting = 'Hello {{ firstName }},',
}: {
  body: string
  action?: string
  small: string
  greeting?: string
}): string {
  return `<mjml>
  <mj-head>
    <mj-attributes>
      <mj-all font-family="Helvetica, Arial, sans-serif" />
      <mj-text font-size="16px" line-height="24px" color="#1c2422" />
      <mj-button background-color="#0b6b4f" border-radius="6px" font-size="16px" />
    </mj-attributes>
  </mj-head>
  <mj-body background-color="#f2f5f4">
    <mj-section background-color="#ffffff" padding="32px 16px">
      <mj-column>
        <mj-text>${greeting}</mj-text>
        <mj-text>${body}</mj-text>
        ${action}
        <mj-text font-size="14px" line-height="20px" color="#4d5a56">${small}</mj-text>
        <mj-text font-size="14px" line-height="20px" color="#4d5a56">{{ title }}</mj-text>
      </mj-column>
    </mj-section>
  </mj-body>
</mjml>
`
}
