import { useQuery } from '@tanstack/react-query'
import { factorEditions } from '#contract/carbon/factors/factor-editions.ts'
import { type FactorDataset, factors } from '#contract/carbon/factors/factors.ts'
import { useMutation } from '#web/api/mutation.ts'
import { query, send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { ask, showError } from '#web/ui/overlay/dialogs.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { toast } from '#web/ui/feedback/toast.tsx'

const removeEdition = send(factorEditions.remove)

/** The editions this customer imported. An edition that isn't used in calculations can be deleted. */
export function ImportedEditions() {
  const { data } = useQuery(query(factors.datasets, {}))
  const removing = useMutation({
    mutationFn: async ({ id, title, edition, factors: size }: FactorDataset) => {
      const isSure = await ask({
        title: `Delete ${title}, ${edition}?`,
        text: `This deletes its ${count(size, 'factor', 'factors')}. An edition used in calculations can't be deleted.`,
        confirm: 'Delete edition',
        isDestructive: true,
      })
      if (!isSure) return
      await removeEdition({ id })
      toast('Edition deleted', `${title}, ${edition}`)
    },
    onError: (failure) => showError(failure),
  })
  const imported = data?.datasets.filter(({ origin }) => origin === 'imported') ?? []
  if (imported.length === 0) return null
  return (
    <section aria-label="Imported editions">
      <h3>Imported editions</h3>
      <ul className="fc-lines">
        {imported.map((edition) => (
          <li key={edition.id}>
            <span className="fc-grow">
              <bdi>
                {edition.title}, {edition.edition}
              </bdi>{' '}
              <bdi className="fc-small fc-faint">
                {edition.publisher}, {count(edition.factors, 'factor', 'factors')}
              </bdi>
            </span>
            <Action
              for={factorEditions.remove}
              variant="subtle"
              size="compact-sm"
              className="fc-quiet-danger"
              loading={removing.isPending && removing.variables.id === edition.id}
              aria-label={`Delete ${edition.title}, ${edition.edition}`}
              onClick={() => removing.mutate(edition)}
            >
              Delete
            </Action>
          </li>
        ))}
      </ul>
    </section>
  )
}
