import { IconExternalLink } from '@tabler/icons-react'
import type { Form } from '#contract/marketing/forms/forms.ts'
import { usePublicOrigin } from './use-public-origin.ts'

/** Where visitors find a form: a link once it is published, otherwise the path. */
export function PublicAddress({ form: { key, publishedNumber } }: { form: Form }) {
  const origin = usePublicOrigin()
  const path = `/f/${key}`
  if (origin === null || publishedNumber === null) return <bdi>{path}</bdi>
  return (
    <a href={`${origin}${path}`} target="_blank" rel="noreferrer" className="fc-public-address">
      <bdi>{path}</bdi>
      <IconExternalLink size={14} aria-hidden="true" />
      <span className="fc-hidden">(opens in a new tab)</span>
    </a>
  )
}
