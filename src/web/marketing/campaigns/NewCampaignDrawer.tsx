import { Select, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { campaigns } from '#contract/marketing/campaigns/campaigns.ts'
import { send } from '#web/api/query.ts'
import { useLotNames } from '#web/ui/form/use-lot-names.ts'
import { NewRecord } from '#web/ui/record/NewRecord.tsx'
import { campaignForm } from './campaign-form.ts'

const addCampaign = send(campaigns.add)
const BLANK = { name: '', lotId: '' }
const LABELS = { name: 'Name', lotId: 'Lot' }

/** What a new campaign needs. Its page opens with it. */
export function NewCampaignDrawer({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const { choices, search } = useLotNames()
  return (
    <NewRecord
      noun="campaign"
      about="An email to buyers who agreed to offers"
      endpoint={campaigns.add}
      blank={BLANK}
      labels={LABELS}
      toInput={toInput}
      add={(values) => addCampaign(toInput(values))}
      opens={{ get: campaigns.get, labels: campaignForm.labels }}
      onAdded={({ id }) => void navigate({ to: '/dvp/campaigns/$id', params: { id }, ignoreBlocker: true })}
      onClose={onClose}
    >
      {({ field, form: { values }, change }) => (
        <>
          <TextInput
            {...field('name')}
            className="fc-wide"
            data-autofocus
            required
            maxLength={100}
            autoComplete="off"
            description={<bdi>Only for you. Leads that come by the campaign show its name.</bdi>}
          />
          <Select
            {...field('lotId')}
            value={values.lotId || null}
            onChange={(lotId) => change({ lotId: lotId ?? '' })}
            className="fc-wide"
            data={choices}
            required
            searchable
            onSearchChange={search}
            description={
              <bdi>
                The store that sends it. Its buyers agreed to emails from it, and its address is in the email.
              </bdi>
            }
          />
        </>
      )}
    </NewRecord>
  )
}

const toInput = ({ name, lotId }: typeof BLANK) => ({ name, lotId })
