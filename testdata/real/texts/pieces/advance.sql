UPDATE looms SET state = $3, fence = $2 WHERE id = $1 AND fence < $2
