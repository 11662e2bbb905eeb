// Assessments own questionnaires with their versions, and what is answered in them.
// They do not own the question model (contract/questions), organizations or facilities (organizations), or carbon data.
// Their rules come from the specification, section 7, and docs/decisions.
export {
  addQuestionnaire,
  publishQuestionnaire,
  questionnaireHandlers,
  questionnaireSource,
} from './questionnaires/questionnaires.ts'
