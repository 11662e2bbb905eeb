import { type Campaign, campaigns } from '#contract/marketing/campaigns/campaigns.ts'
import { send } from '#web/api/query.ts'
import { changeDocument } from '#web/ui/document/document-actions.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { askToRemove } from '#web/ui/record/ask-to-remove.ts'
import { followJob } from '#web/ui/tasks/follow-job.ts'

const sendSchedule = send(campaigns.schedule)
const sendPause = send(campaigns.pause)
const sendResume = send(campaigns.resume)
const sendStop = send(campaigns.stop)
const sendRemove = send(campaigns.removeMany)

type Changed = Promise<Campaign | null>

/** Asks with the number of people, then schedules. @returns null if the user canceled or it was refused, which is shown */
export const scheduleCampaign = ({ id, version, name, sendOn }: Campaign, people: number | null): Changed =>
  changeDocument(
    sendSchedule,
    { id, version },
    {
      question: {
        title:
          people === null ? `Schedule ${name}?` : `Send ${name} to ${count(people, 'person', 'people')}?`,
        text:
          sendOn === null
            ? 'It begins within a minute if its days and times allow it. Who has withdrawn consent by then is left out.'
            : 'It begins on its first day. Who has withdrawn consent by then is left out.',
        confirm: 'Schedule',
      },
      says: ['Campaign scheduled', name],
    },
  )

/** Pauses, or makes a draft of one that has not begun. */
export const pauseCampaign = ({ id, version, name, state }: Campaign): Changed =>
  changeDocument(
    sendPause,
    { id, version },
    { says: [state === 'scheduled' ? 'Campaign is a draft again' : 'Campaign paused', name] },
  )

/** Continues with those who are left; asks if the product paused it. */
export const resumeCampaign = ({ id, version, name, recipients, sent, reason }: Campaign): Changed =>
  changeDocument(
    sendResume,
    { id, version },
    {
      ...(reason !== null && {
        question: {
          title: `Resume ${name}?`,
          text:
            reason === 'restored'
              ? `This installation was restored from a backup. ${count(Math.max(0, recipients - sent), 'recipient is', 'recipients are')} not marked as sent, and some of them may have the email already.`
              : 'It begins to send now, later than it was planned.',
          confirm: 'Resume',
        },
      }),
      says: ['Campaign resumed', name],
    },
  )

/** Asks, then ends it for good. */
export const stopCampaign = ({ id, version, name }: Campaign): Changed =>
  changeDocument(
    sendStop,
    { id, version },
    {
      question: {
        title: `Stop ${name}?`,
        text: "Who has not been mailed yet gets nothing. This can't be undone. To continue later, pause it instead.",
        confirm: 'Stop campaign',
        isDestructive: true,
      },
      says: ['Campaign stopped', name],
    },
  )

/** Asks, then deletes a draft. @returns whether it is being deleted */
export async function removeCampaign(campaign: Campaign): Promise<boolean> {
  const done = await askToRemove({
    read: campaigns.get,
    shown: campaign,
    thing: 'this campaign',
    question: { title: `Delete ${campaign.name}?`, text: 'You can undo this.', confirm: 'Delete campaign' },
    run: ({ id, version }) => sendRemove({ selection: { ids: [id] }, version }),
  })
  if (done !== null && done !== 'gone') void followJob(done.result)
  return done !== null
}

/** Why a campaign can't be deleted, as a sentence; null if it can. */
export function removeLock({ state }: Campaign): string | null {
  if (state === 'draft') return null
  return state === 'scheduled'
    ? 'It is scheduled. Pause it first.'
    : 'It has sent emails, and its figures are kept.'
}
