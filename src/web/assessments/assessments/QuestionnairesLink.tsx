import { questionnaires } from '#contract/questionnaires/questionnaires/questionnaires.ts'
import { useHolds } from '#web/session/use-session.ts'
import { Link } from '#web/ui/controls/Link.tsx'

/** Leads to the questionnaires, where one is published first. Only for users who may open them. */
export function QuestionnairesLink() {
  const mayOpen = useHolds()(questionnaires.list.allow) === true
  return mayOpen && <Link to="/configure-questionnaire">Go to questionnaires</Link>
}
