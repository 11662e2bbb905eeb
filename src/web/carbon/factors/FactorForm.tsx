import type { Factor } from '#contract/carbon/factors/factor-schema.ts'
import { factors } from '#contract/carbon/factors/factors.ts'
import type { Sent } from '#contract/endpoint.ts'
import { keyOf, query, queryClient, send } from '#web/api/query.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { FormFooter } from '#web/ui/form/FormFooter.tsx'
import { RecordEditor } from '#web/ui/record/RecordEditor.tsx'
import { blankFor, factorForm, type FactorFor, showField } from './factor-form.ts'
import { FactorFields } from './FactorFields.tsx'
import { FactorPreview } from './FactorPreview.tsx'
import { FrozenUsers } from './FrozenUsers.tsx'

type Props = {
  /** Null for a new factor. */
  factor: Factor | null
  /** For a new factor: what it is for. */
  isFor?: FactorFor
  onClose: (isSaved: boolean) => void
  /** Called with the ID of the added factor or of the new version. */
  onSaved: (id: string) => void
}

const addFactor = send(factors.add)
const updateFactor = send(factors.update)

/** How many records the form showed as changed; undefined before it did. */
const shownFor = (input: Sent<typeof factors.preview>): number | undefined =>
  queryClient.getQueryData(query(factors.preview, input).queryKey)?.affected

/** What changes is read again after a rejected save: the number of records may be another one now. */
async function shownAgain<Saved>(saving: Promise<Saved>): Promise<Saved> {
  try {
    return await saving
  } catch (error) {
    void queryClient.invalidateQueries({ queryKey: keyOf(factors.preview) })
    throw error
  }
}

/**
 * The form of a custom factor. Saving an edit adds a new version that replaces the old one. What was shown to change is sent along;
 * if nothing was shown yet, the server says it instead of saving.
 */
export function FactorForm({ factor, isFor = {}, onClose, onSaved }: Props) {
  return (
    <RecordEditor
      saved={factor}
      thing="this factor"
      form={{ ...factorForm, blank: blankFor(isFor) }}
      endpoints={factors}
      save={(input, change) =>
        shownAgain(
          change
            ? updateFactor({
                id: change.saved.id,
                version: change.version,
                factor: input,
                affected: shownFor({ ...input, replaces: change.saved.id }),
              })
            : addFactor({
                ...input,
                affected: shownFor(input),
              }),
        )
      }
      onKept={(kept) => queryClient.setQueryData([...keyOf(factors.get), { id: kept.id }], kept)}
      onSaved={(kept, before) => toast(before ? 'Emission factor saved' : 'Emission factor added', kept.name)}
      closes={({ id }) => onSaved(id)}
      show={showField}
    >
      {({ record, saved, endpoint }) => (
        <>
          {saved && <FrozenUsers id={saved.id} />}
          <FactorPreview values={record.form.values} replaces={saved?.id} />
          <FactorFields record={record} isNew={saved === null} />
          <FormFooter
            record={record}
            for={endpoint}
            save={saved ? 'Save as new version' : 'Add factor'}
            onCancel={() => onClose(false)}
          />
        </>
      )}
    </RecordEditor>
  )
}
