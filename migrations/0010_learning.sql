create schema learning;

-- What users work through item by item: a quiz with its questions, or a checklist.
create table learning.tasks (
  id uuid primary key,
  type text not null check (type in ('quiz', 'checklist')),
  name text not null,
  -- Digest of type and name, without case and outer space: activities carry the same.
  topic uuid not null unique,
  -- Share of right answers from which an attempt is passed; a checklist is passed when all is ticked.
  passing_score double precision not null check (passing_score between 0 and 1),
  items smallint not null check (items >= 0),
  created_at timestamptz not null default date_trunc('milliseconds', now())
);
create index on learning.tasks (type, id);

create table learning.task_items (
  task_id uuid not null references learning.tasks,
  position smallint not null,
  -- The question, or what is to be ticked, and its digest.
  item text not null,
  digest uuid not null,
  -- Null: nothing to be right about.
  correct_answer text,
  -- Digest of the right answer of a blank; null: answers are compared to the letter.
  correct_digest uuid,
  choices jsonb,
  primary key (task_id, position),
  unique (task_id, digest)
);

-- Everybody who did something, or was told to.
create table learning.users (
  id text collate "C" primary key,
  activities bigint not null default 0
)
with (fillfactor = 80);

-- The stream that everything below is computed from. Its order is (occurred_at, id).
create table learning.activities (
  id uuid primary key,
  user_id text collate "C" not null,
  type text not null,
  name text not null,
  item text,
  answer text,
  domain text,
  path text,
  occurred_at timestamptz not null,
  topic uuid not null,
  -- Set for answers to questions and ticks of checklists, null for what has no part in a task.
  item_digest uuid,
  answer_digest uuid
);
create index on learning.activities (user_id, occurred_at, id);
-- What one user did stands together, so that reading it touches few pages.
create index on learning.activities (user_id, topic, item_digest, occurred_at, id);
-- For a task that is defined after its activities.
create index on learning.activities (topic);

create function learning.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'Activities are only ever added.';
end $$;
create trigger append_only before update or delete or truncate on learning.activities
  for each statement execute function learning.refuse_change();

-- Computed from activities and tasks by learning.derive_attempts, and by nothing else.
create table learning.attempts (
  user_id text collate "C" not null,
  task_id uuid not null references learning.tasks,
  number integer not null,
  -- Its answers stand in the stream after this place, which is where the attempt before ended...
  after_at timestamptz not null,
  after_id uuid not null,
  started_at timestamptz not null,
  -- ...up to and with this one, where the last item had its answer; null while one has none.
  ended_at timestamptz,
  ended_id uuid,
  answered smallint not null,
  score double precision not null,
  passed boolean not null,
  primary key (user_id, task_id, number)
)
with (fillfactor = 80);
-- One row a user and task.
create index on learning.attempts (task_id, user_id) where number = 1;
create index on learning.attempts (ended_at) include (task_id, passed) where ended_at is not null;

-- Computes the attempts of users[n] at tasks[n] anew from the first that a change at since[n] can
-- reach. Each step finds, for each item, the first answer after the end of the attempt before: the
-- last of these ends the attempt. What counts is the last answer to each item within. More answers
-- never make fewer attempts, so no row is left over.
-- It goes by indexes, whatever the statistics say: its plan is kept while the tables grow.
create function learning.derive_attempts(users text[], tasks uuid[], since timestamptz[])
returns void language plpgsql set enable_seqscan = off set jit = off as $$
begin
  insert into learning.attempts as known
    (user_id, task_id, number, after_at, after_id, started_at, ended_at, ended_id, answered, score,
     passed)
  with recursive attempt as (
    select changed.user_id, changed.task_id, coalesce(base.number, 0) as number,
           null::timestamptz as after_at, null::uuid as after_id, null::timestamptz as started_at,
           coalesce(base.ended_at, '-infinity') as ended_at,
           coalesce(base.ended_id, '00000000-0000-0000-0000-000000000000') as ended_id,
           null::integer as answered
    from unnest(users, tasks, since) changed (user_id, task_id, since)
    left join lateral (
      select a.number, a.ended_at, a.ended_id from learning.attempts a
      where a.user_id = changed.user_id and a.task_id = changed.task_id
        and a.ended_at < changed.since
      order by a.number desc limit 1
    ) base on true
    union all
    select attempt.user_id, attempt.task_id, attempt.number + 1, attempt.ended_at,
           attempt.ended_id, cover.started_at, cover.ended_at, cover.ended_id, cover.answered
    from attempt
    join learning.tasks t on t.id = attempt.task_id
    cross join lateral (
      select count(first.id)::integer as answered, min(first.occurred_at) as started_at,
             case when count(first.id) = count(*) then max(first.occurred_at) end as ended_at,
             case when count(first.id) = count(*) then
               (array_agg(first.id order by first.occurred_at desc, first.id desc))[1]
             end as ended_id
      from learning.task_items i
      left join lateral (
        select a.id, a.occurred_at from learning.activities a
        where a.topic = t.topic and a.user_id = attempt.user_id and a.item_digest = i.digest
          and (a.occurred_at, a.id) > (attempt.ended_at, attempt.ended_id)
        order by a.occurred_at, a.id limit 1
      ) first on true
      where i.task_id = attempt.task_id
    ) cover
    -- A checklist is worked through once.
    where attempt.ended_at is not null and cover.answered > 0
      and (t.type = 'quiz' or attempt.number = 0)
  )
  select attempt.user_id, attempt.task_id, attempt.number, attempt.after_at, attempt.after_id,
         attempt.started_at, attempt.ended_at, attempt.ended_id, attempt.answered, result.score,
         attempt.ended_at is not null and result.score >= t.passing_score
  from attempt
  join learning.tasks t on t.id = attempt.task_id
  cross join lateral (
    select count(*) filter (where last.is_right)::double precision / t.items as score
    from learning.task_items i
    cross join lateral (
      select i.correct_answer is null
             or case when i.correct_digest is null then a.answer = i.correct_answer
                     else a.answer_digest = i.correct_digest end as is_right
      from learning.activities a
      where a.topic = t.topic and a.user_id = attempt.user_id and a.item_digest = i.digest
        and (a.occurred_at, a.id) > (attempt.after_at, attempt.after_id)
        and (a.occurred_at, a.id)
            <= (coalesce(attempt.ended_at, 'infinity'),
                coalesce(attempt.ended_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
      order by a.occurred_at desc, a.id desc limit 1
    ) last
    where i.task_id = attempt.task_id
  ) result
  where attempt.after_at is not null
  on conflict (user_id, task_id, number) do update
    set after_at = excluded.after_at, after_id = excluded.after_id,
        started_at = excluded.started_at, ended_at = excluded.ended_at,
        ended_id = excluded.ended_id, answered = excluded.answered, score = excluded.score,
        passed = excluded.passed;
end $$;

-- Activities of one topic and the definition of its task wait for each other, and those of one user
-- come one after another. Each statement in here sees what was committed while it waited.
create function learning.follow_activities() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended(topic::text, 0))
  from (select distinct topic from added order by topic) topics;
  insert into learning.users as known (id, activities)
  select user_id, count(*) from added group by user_id order by user_id
  on conflict (id) do update set activities = known.activities + excluded.activities;
  perform learning.derive_attempts(array_agg(user_id), array_agg(task_id), array_agg(since))
  from (
    select a.user_id, t.id as task_id, min(a.occurred_at) as since
    from added a
    join learning.tasks t on t.topic = a.topic
    join learning.task_items i on i.task_id = t.id and i.digest = a.item_digest
    group by a.user_id, t.id
  ) changed
  having count(*) > 0;
  return null;
end $$;
create trigger follow_activities after insert on learning.activities
  referencing new table as added
  for each statement execute function learning.follow_activities();

-- A task that is defined after its activities: everybody's attempts at it.
create function learning.follow_tasks() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(topic::text, 0))
  from (select distinct t.topic from added join learning.tasks t on t.id = added.task_id
        order by t.topic) topics;
  perform learning.derive_attempts(array_agg(user_id), array_agg(task_id), array_agg(since))
  from (
    select a.user_id, t.id as task_id, '-infinity'::timestamptz as since
    from (select distinct task_id from added) made
    join learning.tasks t on t.id = made.task_id
    join learning.activities a on a.topic = t.topic and a.item_digest is not null
    group by a.user_id, t.id
  ) changed
  having count(*) > 0;
  return null;
end $$;
create trigger follow_tasks after insert on learning.task_items
  referencing new table as added
  for each statement execute function learning.follow_tasks();

create table learning.badges (
  id uuid primary key,
  name text not null,
  digest uuid not null unique,
  icon text,
  -- How many there are; nobody gets a badge that asks for nothing.
  requirements smallint not null,
  created_at timestamptz not null default date_trunc('milliseconds', now())
);

create table learning.badge_requirements (
  badge_id uuid not null references learning.badges,
  position smallint not null,
  type text not null,
  name text not null,
  topic uuid not null,
  -- Met by attempts; others are met by the first activity of their type and name.
  is_task boolean not null,
  min_score double precision,
  max_attempts integer,
  status text not null check (status in ('completed', 'passed')),
  primary key (badge_id, position)
);
create index on learning.badge_requirements (topic);

create table learning.assignments (
  id uuid primary key,
  user_id text collate "C" not null references learning.users,
  type text not null,
  name text not null,
  topic uuid not null,
  is_task boolean not null,
  max_attempts integer,
  deadline timestamptz,
  assigned_at timestamptz not null default date_trunc('milliseconds', now())
);
create index on learning.assignments (user_id, id);
