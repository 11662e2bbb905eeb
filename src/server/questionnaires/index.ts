// Questionnaires own questionnaires with their versions, templates, import, and the question bank.
// They do not own the question model (contract/questions) or who answers (assessments).
// Their rules come from the specification, section 7, and docs/decisions.
export { questionBankHandlers } from './bank/question-bank.ts'
export { makeImportThread, questionnaireFileHandlers } from './import/questionnaire-files.ts'
export {
  addQuestionnaire,
  publishQuestionnaire,
  questionnaireHandlers,
  questionnaireSource,
} from './questionnaires/questionnaires.ts'
export { readTemplates } from './templates/templates.ts'
