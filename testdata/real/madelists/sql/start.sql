UPDATE pumps SET running = true, fence = $2 WHERE id = $1 AND fence < $2
