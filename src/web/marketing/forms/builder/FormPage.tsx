import { getRouteApi } from '@tanstack/react-router'
import { type Form, forms } from '#contract/marketing/forms/forms.ts'
import { keyOf, query, queryClient } from '#web/api/query.ts'
import { PageHeader } from '#web/ui/layout/PageHeader.tsx'
import { LoadedRecord } from '#web/ui/record/LoadedRecord.tsx'
import { FormEditor } from './FormEditor.tsx'
import { both, Loaded, useLoad } from '#web/ui/record/Loaded.tsx'

const route = getRouteApi('/shell/dvp/forms/$id')

/** One form: its questions, settings and versions. */
export function FormPage() {
  const { id } = route.useParams()
  return <OpenForm key={id} id={id} />
}

function OpenForm({ id }: { id: string }) {
  const form = useLoad({
    ...query(forms.get, { id }),
    // The editor must start with the current form, not a cached one.
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const versions = useLoad(query(forms.versions, { id }))
  // Without the versions, the builder couldn't tell which consent texts visitors saw.
  const load = both(form, versions)
  if (load.data) {
    const [loaded, published] = load.data
    return (
      <LoadedRecord record={loaded}>
        {(shown, keep) => (
          <FormEditor
            form={shown}
            versions={published}
            onKept={(kept: Form) => {
              queryClient.setQueryData([...keyOf(forms.get), { id }], kept)
              keep(kept)
            }}
          />
        )}
      </LoadedRecord>
    )
  }
  return (
    <div className="fc-list">
      <PageHeader title="Form" context="" />
      <Loaded query={load} what="this form" shape="spinner">
        {() => null}
      </Loaded>
    </div>
  )
}
