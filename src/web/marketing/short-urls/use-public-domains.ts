import { whiteLabels } from '#contract/identity/branding/white-labels.ts'
import { useSearchable } from '#web/ui/list/use-searchable.ts'

/** The customer's verified public domains; none if the user may not read them. */
export function usePublicDomains(): string[] {
  const { rows } = useSearchable(whiteLabels.list, {
    filter: 'purpose == "public" && state == "verified"',
    sort: 'domain',
  })
  return rows.map(({ domain }) => domain)
}
