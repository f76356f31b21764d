CREATE TABLE IF NOT EXISTS report_result (
	id         bigint PRIMARY KEY,
	body       text   NOT NULL DEFAULT '',
	version    bigint NOT NULL DEFAULT 0, -- counts the commits
	last_fence bigint NOT NULL DEFAULT 0  -- epoch of the latest owner
);

CREATE TABLE IF NOT EXISTS payment (
	report_id bigint  PRIMARY KEY,
	cents     bigint  NOT NULL,
	paid      boolean NOT NULL DEFAULT false -- false: not sent, or not known how it went
);
