import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { type Form, forms } from '#contract/marketing/forms/forms.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { keyOf, query, queryClient } from '#web/api/query.ts'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { PageHeader } from '#web/ui/layout/PageHeader.tsx'
import { LoadedRecord } from '#web/ui/record/LoadedRecord.tsx'
import { FormEditor } from './FormEditor.tsx'
import { type Memory, NO_MEMORY } from '#web/questions/builder/use-builder.ts'

const route = getRouteApi('/shell/dvp/forms/$id')

/** One form: its questions, settings and versions. */
export function FormPage() {
  const { id } = route.useParams()
  return <OpenForm key={id} id={id} />
}

function OpenForm({ id }: { id: string }) {
  // Kept outside the editor, because a save remounts it.
  const [memory, keepMemory] = useState<Memory>(NO_MEMORY)
  const { data, error, refetch } = useQuery({
    ...query(forms.get, { id }),
    // The editor must start with the current form, not a cached one.
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const versions = useQuery(query(forms.versions, { id }))
  // Without the versions, the builder couldn't tell which consent texts visitors saw.
  if (data && versions.data) {
    return (
      <LoadedRecord record={data}>
        {(form, keep) => (
          <FormEditor
            form={form}
            versions={versions.data}
            memory={{ memory, keep: keepMemory }}
            onKept={(kept: Form) => {
              queryClient.setQueryData([...keyOf(forms.get), { id }], kept)
              keep(kept)
            }}
          />
        )}
      </LoadedRecord>
    )
  }
  const failed = failureOf(error, versions.error)
  return (
    <div className="fc-list">
      <PageHeader title="Form" context="" />
      {failed && (
        <FailureState
          failure={failed.error}
          endpoint={failed.endpoint}
          what="this form"
          onRetry={() => void (error ? refetch() : versions.refetch())}
        />
      )}
      {!failed && <Spinner label="Loading the form" />}
    </div>
  )
}

function failureOf(form: CallFailure | null, versions: CallFailure | null) {
  if (form !== null) return { error: form, endpoint: forms.get }
  return versions && { error: versions, endpoint: forms.versions }
}
