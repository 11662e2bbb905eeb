-- A plan that is kept must not depend on how large the tables were when it was made: made while they were nearly empty, it
-- read a whole table for each record, so that adding 6,000 users took minutes. Every record is read by its key.
alter function search.write_words(text, bigint[], bigint[], boolean) set enable_seqscan = off;
